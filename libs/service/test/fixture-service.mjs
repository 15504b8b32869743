// A service of a few lines, run as a process by run-main.scenario.test.ts.
import {
  StartupError,
  choiceOption,
  defineOptions,
  option,
  runMain,
  serviceOptions,
  startService,
} from '@tetrad/service';

const options = defineOptions({
  ...serviceOptions({ httpListenPort: 0, opsListenPort: 0 }),
  behaviour: option(choiceOption('serve', 'refuse', 'break', 'break-later', 'never-stop'), {
    description: 'What to do.',
    default: 'serve',
  }),
});

await runMain({
  name: 'fixture',
  version: '9.9.9',
  description: 'Serves a test.',
  options,
  async start(config, environment) {
    if (config.behaviour === 'refuse') throw new StartupError('the genesis file is of another chain');
    if (config.behaviour === 'break') throw new TypeError('a bug');
    if (config.behaviour === 'break-later') setTimeout(() => Promise.reject(new TypeError('a late bug')), 50);
    return startService({
      ...environment,
      config,
      rpc: {
        paths: ['/'],
        handle(_request, response) {
          environment.logger.info('request taken');
          setTimeout(() => response.end('done'), 400);
        },
      },
      onStop: () => (config.behaviour === 'never-stop' ? new Promise(() => undefined) : undefined),
    });
  },
});
