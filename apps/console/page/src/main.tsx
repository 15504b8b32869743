import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { config } from 'zod';
import 'uplot/dist/uPlot.min.css';
import { App } from './app.js';
import { needsToken } from './api/call-node.js';
import './style.css';

// Its parsers are code made at run time otherwise, which the policy of the page forbids.
config({ jitless: true });

/** Further tries of a request that failed; its view says so meanwhile. */
const RETRIES = 1;

const client = new QueryClient({
  defaultOptions: {
    queries: { retry: (failures, error) => failures < RETRIES && !needsToken(error), retryDelay: 500 },
  },
});

const place = document.getElementById('page');
if (place !== null)
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
