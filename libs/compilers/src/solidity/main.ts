import { LIBS, librariesWith } from '../find-folders.js';
import { compileFolder } from './compile.js';

/** Compiles the contracts of every library that has a `contracts` folder. */
for (const folder of await librariesWith('contracts')) {
  if (await compileFolder(folder)) process.stderr.write(`compiled ${folder.slice(LIBS.length)}/contracts\n`);
}
