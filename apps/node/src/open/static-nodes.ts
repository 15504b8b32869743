import { readFile } from 'node:fs/promises';
import { EnodeError, parseEnode, type Enode } from '@tetrad/node-peer';
import { reasonOf } from '@tetrad/service';
import { OperatorError, withoutByteOrderMark } from '@tetrad/types';
import { z } from 'zod';

const fileSchema = z.array(z.string());

/**
 * The nodes of the option and of the file, a JSON list of enode URLs.
 * @throws OperatorError naming option or file
 */
export async function readStaticNodes(
  urls: readonly string[],
  file: string | undefined,
): Promise<readonly Enode[]> {
  const listed = file === undefined ? [] : await readFileList(file);
  return [
    ...urls.map((url) => readEnode(url, '--peers')),
    ...listed.map((url, index) => readEnode(url, `static nodes file ${file}: entry ${index}`)),
  ];
}

async function readFileList(file: string): Promise<readonly string[]> {
  let json: unknown;
  try {
    json = JSON.parse(withoutByteOrderMark(await readFile(file, 'utf8')));
  } catch (error) {
    throw new OperatorError(`static nodes file ${file}: ${reasonOf(error)}`);
  }
  const parsed = fileSchema.safeParse(json);
  if (!parsed.success)
    throw new OperatorError(`static nodes file ${file}: must be a JSON list of enode URLs`);
  return parsed.data;
}

function readEnode(url: string, where: string): Enode {
  try {
    return parseEnode(url);
  } catch (error) {
    if (error instanceof EnodeError) throw new OperatorError(`${where}: ${url}: ${error.message}`);
    throw error;
  }
}
