import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a link does with the next request that submits an operation. */
export type Fate = 'passes' | 'is lost on the way' | 'is answered, and the answer is lost';

/** A way to an operator on which requests that submit operations, or the answers to them, are lost. */
export class LossyLink {
  fate: Fate = 'passes';

  private constructor(
    readonly url: string,
    readonly close: () => Promise<unknown>,
  ) {}

  static async open(operatorUrl: string): Promise<LossyLink> {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString();
      const isSubmission = body.includes('pazkp_create') || body.includes('pazkp_redeem');
      const now = isSubmission ? link.fate : 'passes';
      if (now === 'is lost on the way') return void request.socket.destroy();
      const headers = { 'content-type': 'application/json' };
      const answer = await (await fetch(operatorUrl, { method: 'POST', headers, body })).text();
      if (now !== 'passes') return void request.socket.destroy();
      response.writeHead(200, headers).end(answer);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const link = new LossyLink(`http://127.0.0.1:${port}`, () => new Promise((done) => server.close(done)));
    return link;
  }
}
