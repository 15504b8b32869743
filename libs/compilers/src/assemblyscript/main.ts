import { LIBS, librariesWith } from '../find-folders.js';
import { compileFolder } from './compile.js';

/** Compiles the AssemblyScript of every library that has a folder `assembly` with a source. */
for (const folder of await librariesWith('assembly')) {
  if (await compileFolder(folder)) process.stderr.write(`compiled ${folder.slice(LIBS.length)}/assembly\n`);
}
