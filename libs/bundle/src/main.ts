import { bundleService } from './bundle-service.js';
import { writeDockerfiles } from './dockerfile.js';
import { layOutImage } from './image-tree.js';
import { SERVICES, parseService } from './services.js';

const USAGE = `Usage: node libs/bundle/dist/main.js COMMAND

  bundle [SERVICE]         bundles one service, or all, into apps/SERVICE/bundle
  image SERVICE FOLDER     lays out what the image of the service holds, in an empty folder
  dockerfiles              writes docker/SERVICE/Dockerfile of every service
`;

async function run([command, service, folder]: readonly string[]): Promise<number> {
  if (command === 'bundle') {
    const services = service === undefined ? SERVICES : [parseService(service)];
    await Promise.all(services.map(bundleService));
    return 0;
  }
  if (command === 'image' && folder !== undefined) {
    await layOutImage(parseService(service), folder);
    return 0;
  }
  if (command === 'dockerfiles') {
    await writeDockerfiles();
    return 0;
  }
  process.stderr.write(USAGE);
  return 2;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`bundle: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
