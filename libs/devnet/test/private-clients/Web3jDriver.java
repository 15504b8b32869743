import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigInteger;
import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import okhttp3.OkHttpClient;
import org.web3j.crypto.Credentials;
import org.web3j.crypto.RawTransaction;
import org.web3j.protocol.core.Request;
import org.web3j.protocol.core.Response;
import org.web3j.protocol.core.methods.response.Transaction;
import org.web3j.protocol.http.HttpService;
import org.web3j.quorum.PrivacyFlag;
import org.web3j.quorum.Quorum;
import org.web3j.quorum.enclave.Tessera;
import org.web3j.quorum.enclave.protocol.EnclaveService;
import org.web3j.quorum.methods.request.PrivateTransaction;
import org.web3j.quorum.tx.ClientTransactionManager;
import org.web3j.quorum.tx.QuorumTransactionManager;
import org.web3j.utils.Numeric;

/**
 * Calls web3j's library for private networks as it is told, a JSON object a line on standard input:
 * {node, manager, call, args}. Each is answered by a line: {result} as the library has read it, or {error}.
 *
 * <p>A call is a method of Quorum or of Tessera by its name, or one of the two transaction managers.
 */
public final class Web3jDriver {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final BigInteger GAS = BigInteger.valueOf(4_700_000);

  public static void main(String[] words) throws Exception {
    var lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      System.out.println(JSON.writeValueAsString(answer(JSON.readTree(line))));
    }
    System.exit(0);
  }

  private static ObjectNode answer(JsonNode asked) {
    var answer = JSON.createObjectNode();
    try {
      var result = new Web3jDriver(asked).call(asked.get("call").asText(), asked.get("args"));
      answer.set("result", JSON.valueToTree(result));
    } catch (InvocationTargetException failure) {
      answer.put("error", String.valueOf(failure.getCause()));
    } catch (Exception failure) {
      answer.put("error", String.valueOf(failure.getMessage()));
    }
    return answer;
  }

  private final Quorum quorum;
  private final Tessera tessera;

  private Web3jDriver(JsonNode asked) {
    quorum = Quorum.build(new HttpService(asked.get("node").asText()));
    var manager = URI.create(asked.get("manager").asText());
    var service = new EnclaveService("http://" + manager.getHost(), manager.getPort(), new OkHttpClient());
    tessera = new Tessera(service, quorum);
  }

  private Object call(String name, JsonNode args) throws Exception {
    switch (name) {
      case "ClientTransactionManager":
        return resultOf(
            new ClientTransactionManager(
                    quorum,
                    text(args, "from"),
                    text(args, "privateFrom"),
                    texts(args.get("privateFor")),
                    PrivacyFlag.fromFlag(args.path("privacyFlag").asInt()))
                .sendTransaction(BigInteger.ZERO, GAS, text(args, "to"), text(args, "data"), BigInteger.ZERO));
      case "QuorumTransactionManager":
        return resultOf(
            managerOf(args).sendTransaction(BigInteger.ZERO, GAS, text(args, "to"), text(args, "data"), BigInteger.ZERO));
      case "sign":
        var manager = managerOf(args);
        var payload = Base64.getEncoder().encodeToString(Numeric.hexStringToByteArray(text(args, "data")));
        var stored = tessera.storeRawRequest(payload, text(args, "privateFrom"), List.of());
        var hash = Numeric.toHexString(Base64.getDecoder().decode(stored.getKey()));
        var nonce = args.get("nonce").bigIntegerValue();
        return manager.sign(RawTransaction.createTransaction(nonce, BigInteger.ZERO, GAS, text(args, "to"), hash));
      default:
        return callByName(name, args);
    }
  }

  private QuorumTransactionManager managerOf(JsonNode args) {
    return new QuorumTransactionManager(
        quorum,
        tessera,
        Credentials.create(text(args, "privateKey")),
        text(args, "privateFrom"),
        texts(args.get("privateFor")),
        PrivacyFlag.fromFlag(args.path("privacyFlag").asInt()));
  }

  private Object callByName(String name, JsonNode args) throws Exception {
    for (Object target : new Object[] {quorum, tessera}) {
      for (Method method : target.getClass().getMethods()) {
        if (!method.getName().equals(name) || method.getParameterCount() != args.size()) continue;
        var values = new ArrayList<Object>();
        for (Class<?> type : method.getParameterTypes()) values.add(valueOf(args.get(values.size()), type));
        method.setAccessible(true);
        var returned = method.invoke(target, values.toArray());
        return returned instanceof Request ? resultOf(((Request<?, ?>) returned).send()) : returned;
      }
    }
    throw new IllegalArgumentException("no method " + name + " with " + args.size() + " arguments");
  }

  private static Object valueOf(JsonNode given, Class<?> type) {
    if (type == int.class) return given.asInt();
    if (type == boolean.class) return given.asBoolean();
    if (type == List.class) return texts(given);
    if (type == PrivacyFlag.class) return PrivacyFlag.fromFlag(given.asInt());
    if (type != PrivateTransaction.class) return given.asText();
    return new PrivateTransaction(
        text(given, "from"),
        null,
        GAS,
        text(given, "to"),
        null,
        text(given, "data"),
        text(given, "privateFrom"),
        texts(given.get("privateFor")),
        PrivacyFlag.fromFlag(given.path("privacyFlag").asInt()));
  }

  /** What the library has made of an answer. */
  private static Object resultOf(Response<?> response) {
    if (response.hasError()) throw new IllegalStateException(response.getError().getMessage());
    // Some of its getters fail at members that a transaction of this type does not have.
    if (response.getResult() instanceof Transaction found)
      return Map.of("hash", found.getHash(), "from", found.getFrom(), "input", found.getInput());
    return response.getResult();
  }

  private static String text(JsonNode given, String name) {
    return given.hasNonNull(name) ? given.get(name).asText() : null;
  }

  private static List<String> texts(JsonNode given) {
    if (given == null || given.isNull()) return null;
    var texts = new ArrayList<String>();
    given.forEach(one -> texts.add(one.asText()));
    return texts;
  }
}
