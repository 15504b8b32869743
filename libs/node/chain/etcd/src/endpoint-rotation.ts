import { backOffMs, spreadMs, type Clock, type Counter, type Logger, type Metrics } from '@tetrad/types';
import type { Endpoint } from './endpoint.js';

export interface RotationOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

interface Place {
  readonly endpoint: Endpoint;
  /** In a row. */
  failures: number;
  /** By the clock; until then others are asked first. */
  restsUntil: number;
}

const LONGEST_REST_MS = 15_000;
const RESTS = { firstMs: 200, maxMs: LONGEST_REST_MS };

/** Chooses the endpoint: one as long as it works, then the next. Failed endpoints rest, longer each time. */
export class EndpointRotation {
  private readonly places: readonly Place[];
  private current: Place;
  private readonly failovers: Counter;

  constructor(
    readonly endpoints: readonly [Endpoint, ...Endpoint[]],
    private readonly options: RotationOptions,
  ) {
    const places = endpoints.map((endpoint) => ({ endpoint, failures: 0, restsUntil: 0 }));
    this.places = places;
    this.current = places[0] as Place;
    const help = 'Times an endpoint of etcd did not answer, or not well';
    this.failovers = options.metrics.counter('node_etcd_endpoint_failures_total', help, ['endpoint']);
  }

  /** All endpoints, available ones first; resting endpoints come last, in case no other is left. */
  order(): [Endpoint, ...Endpoint[]] {
    const now = this.options.clock.now();
    const at = this.places.indexOf(this.current);
    const ring = [...this.places.slice(at), ...this.places.slice(0, at)];
    const awake = ring.filter((place) => !rests(place, now));
    const resting = ring.filter((place) => rests(place, now));
    resting.sort((one, other) => one.restsUntil - other.restsUntil);
    return [...awake, ...resting].map(({ endpoint }) => endpoint) as [Endpoint, ...Endpoint[]];
  }

  worked(endpoint: Endpoint): void {
    const place = this.placeOf(endpoint);
    this.current = place;
    if (place.failures === 0) return;
    const { failures } = place;
    Object.assign(place, { failures: 0, restsUntil: 0 });
    this.options.logger.info('etcd endpoint answers again', { endpoint: endpoint.url, failures });
  }

  failed(endpoint: Endpoint, problem: string): void {
    const place = this.placeOf(endpoint);
    place.failures++;
    // Not all clients come back to a member at the same time.
    place.restsUntil = this.options.clock.now() + spreadMs(backOffMs(place.failures, RESTS), Math.random());
    this.failovers.increment({ endpoint: endpoint.url });
    if (place === this.current) this.current = this.behind(place);
    if (place.failures === 1)
      this.options.logger.warn('etcd endpoint does not answer', { endpoint: endpoint.url, problem });
  }

  private behind(place: Place): Place {
    return this.places[(this.places.indexOf(place) + 1) % this.places.length] as Place;
  }

  private placeOf(endpoint: Endpoint): Place {
    return this.places.find((place) => place.endpoint === endpoint) as Place;
  }
}

/** A clock that was set back does not make an endpoint rest for longer than the longest rest. */
function rests({ restsUntil }: Place, now: number): boolean {
  return restsUntil > now && restsUntil - now <= LONGEST_REST_MS;
}
