import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../load-config.js';
import { parseCommandLine } from '../command-line.js';
import { tracingOptions, tracingSettings } from './tracing-options.js';

/** The settings of a service with these flags, in an environment. */
function settings(flags: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const commandLine = parseCommandLine(flags, tracingOptions);
  const config = loadConfig({ service: 'test', options: tracingOptions, commandLine, environment });
  const found = tracingSettings(config, environment);
  return found && { endpoint: found.endpoint.href, sampleRatio: found.sampleRatio };
}

const ENDPOINT = ['--tracing-endpoint', 'http://collector:4318'];

describe('tracing', () => {
  it('is off without an endpoint', () => {
    expect(settings([])).toBeUndefined();
    expect(settings(['--tracing-sample-ratio', '0.5'], { OTEL_TRACES_SAMPLER_ARG: '0.5' })).toBeUndefined();
  });

  it('sends every trace to the usual path of a collector', () => {
    expect(settings(ENDPOINT)).toEqual({ endpoint: 'http://collector:4318/v1/traces', sampleRatio: 1 });
    expect(settings(['--tracing-endpoint', 'https://collector/own'])?.endpoint).toBe('https://collector/own');
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://general:4318/' }, 'http://general:4318/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://own/traces' }, 'http://own/traces'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://general:4318', OTEL_SDK_DISABLED: 'true' }, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://general:4318', OTEL_TRACES_EXPORTER: 'none' }, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }, undefined],
  ])('is turned on by the variables %j as well', (environment, endpoint) => {
    expect(settings([], environment)?.endpoint).toBe(endpoint);
    expect(settings(ENDPOINT, environment)?.endpoint).toBe('http://collector:4318/v1/traces');
  });

  it.each([
    ['0.05', 0.05],
    ['7', 1],
    ['', 1],
    ['none', 1],
  ])('takes the ratio of the variable %j where the option has none', (text, sampleRatio) => {
    expect(settings(ENDPOINT, { OTEL_TRACES_SAMPLER_ARG: text })?.sampleRatio).toBe(sampleRatio);
    const ratio = ['--tracing-sample-ratio', '0.25'];
    expect(settings([...ENDPOINT, ...ratio], { OTEL_TRACES_SAMPLER_ARG: text })?.sampleRatio).toBe(0.25);
  });

  it.each(['-1', '1.5', '1e-3', '.', 'half', '0.1234567890'])('refuses the ratio %s', (text) => {
    expect(() => settings([...ENDPOINT, `--tracing-sample-ratio=${text}`])).toThrow(
      '--tracing-sample-ratio: must be a number from 0 to 1, such as 0.05',
    );
  });
});
