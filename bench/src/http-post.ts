import { request, type Agent } from 'node:http';

/** Posts JSON over connections that stay open. Out: the answer. Fails: Error for a status other than 200 and 201 */
export function postJson(url: string, members: object, agent: Agent): Promise<unknown> {
  const body = JSON.stringify(members);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((done, fail) => {
    const sent = request(url, { method: 'POST', headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', fail);
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (response.statusCode === 200 || response.statusCode === 201) done(JSON.parse(text));
        else fail(new Error(`${url} answered ${response.statusCode}: ${text}`));
      });
    });
    sent.once('error', fail);
    sent.end(body);
  });
}
