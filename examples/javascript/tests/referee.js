/** A referee for tests: says what a script says, over a real connection. */

import * as grpc from "@grpc/grpc-js";
import { loadService } from "../connection.js";

/**
 * @param {(request, call, requests: Array) => void} script Called with each request of the bot.
 * @returns {Promise<{address: string, requests: Array, close: function(): void}>}
 */
export async function startReferee(script) {
  const server = new grpc.Server();
  const requests = [];
  server.addService(loadService().service, {
    play(call) {
      call.on("data", (request) => {
        requests.push(request);
        script(request, call, requests);
      });
    },
  });
  const port = await new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { address: `127.0.0.1:${port}`, requests, close: () => server.forceShutdown() };
}
