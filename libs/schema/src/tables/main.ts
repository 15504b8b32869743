import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import generatorHelper from '@prisma/generator-helper';
import { tablesText } from './tables-text.js';

/** The program that `generator tables` of a schema names; Prisma starts it and sends it the models. */
generatorHelper.generatorHandler({
  onManifest: () => ({ prettyName: 'names of tables and columns', defaultOutput: './generated' }),
  async onGenerate({ dmmf, generator }) {
    const folder = generator.output?.value;
    if (typeof folder !== 'string') throw new Error('generator tables: output is missing');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'tables.ts'), tablesText(dmmf.datamodel.models));
  },
});
