import express, { type Express } from 'express';
import type { ServiceMetrics } from './metrics.js';
import { readReadiness, type ReadinessChecks } from './readiness.js';

/** The operations port: alive, ready, metrics, version. */
export function createOperationsApp(parts: {
  readonly name: string;
  readonly version: string;
  readonly metrics: ServiceMetrics;
  readonly readiness: ReadinessChecks;
  readonly warnings?: ReadinessChecks | undefined;
}): Express {
  const app = express().disable('x-powered-by').disable('etag');
  app.get('/livez', (_request, response) => {
    response.json({ live: true });
  });
  app.get('/readyz', async (_request, response) => {
    const readiness = await readReadiness(parts.readiness, parts.warnings);
    response.status(readiness.ready ? 200 : 503).json(readiness);
  });
  app.get('/metrics', async (_request, response) => {
    response.type(parts.metrics.contentType).send(await parts.metrics.expose());
  });
  app.get('/metrics/definitions', (_request, response) => {
    response.json(parts.metrics.definitions());
  });
  app.get('/version', (_request, response) => {
    // The process id, by which a parent recognizes its own child on the port.
    response.json({ name: parts.name, version: parts.version, pid: process.pid });
  });
  return app;
}
