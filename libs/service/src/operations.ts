import express, { type Express } from 'express';
import type { ServiceMetrics } from './metrics.js';
import { READINESS_QUESTIONS, type ReadinessQuestions } from './readiness-questions.js';

/** The operations port: alive, ready, metrics, version. */
export function createOperationsApp(parts: {
  readonly name: string;
  readonly version: string;
  readonly metrics: ServiceMetrics;
  readonly readiness: ReadinessQuestions;
}): Express {
  const app = express().disable('x-powered-by').disable('etag');
  app.get('/livez', (_request, response) => {
    response.json({ live: true });
  });
  for (const [path, question] of Object.entries(READINESS_QUESTIONS))
    app.get(path, async (_request, response) => {
      const readiness = await parts.readiness.answer(question);
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
