import { inspect } from 'node:util';

/** Text that must not be shown: printing, logging or serializing it gives a placeholder. */
export class Secret {
  readonly #text: string;

  constructor(
    text: string,
    /** A warning about the file that it is from, for the operator. */
    readonly caution?: string,
    /** The TOML file that names it, as long as its service was not asked (`fetchSecrets`). */
    readonly namedBy?: string,
  ) {
    this.#text = text;
  }

  /** The text itself, for its one user. */
  reveal(): string {
    if (this.namedBy !== undefined) throw new TypeError(`the secret of ${this.namedBy} was not read yet`);
    return this.#text;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}
