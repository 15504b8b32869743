import { readFileSync } from 'node:fs';
import { OperatorError } from '@tetrad/types';
import { DatabaseUrl } from './database-url.js';

/**
 * The URL of the database that a job for a service is to use, from the variables of the service: job and service are given the
 * same ones.
 * @throws OperatorError that names the variable when it is not set, or when the file with the password cannot be read
 */
export function jobDatabaseUrl(service: string, environment: NodeJS.ProcessEnv): string {
  const variables = `TETRAD_${service.toUpperCase().replaceAll('-', '_')}`;
  const url = environment[`${variables}_DATABASE_URL`];
  if (url === undefined) throw new OperatorError(`${variables}_DATABASE_URL is not set`);
  const passwordVariable = `${variables}_DATABASE_PASSWORD_FILE`;
  const passwordFile = environment[passwordVariable];
  if (passwordFile === undefined) return url;
  return DatabaseUrl.parse(url).withPassword(readPassword(passwordFile, passwordVariable)).href;
}

function readPassword(path: string, variable: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new OperatorError(
      `${variable}: cannot read ${path}: ${error instanceof Error ? error.message : error}`,
    );
  }
}
