import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { appFolder, type Service } from './services.js';

const manifestSchema = z.object({ name: z.string(), version: z.string() });

/** Name and version of a service's package. */
export async function manifestOf(service: Service): Promise<z.infer<typeof manifestSchema>> {
  return manifestSchema.parse(JSON.parse(await readFile(join(appFolder(service), 'package.json'), 'utf8')));
}
