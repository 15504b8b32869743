/** Two members of an object that are one to a reader that matches names without regard to case. */
export interface Twins {
  /** As the object spells it. */
  readonly member: string;
  /** The known name that it is taken for. */
  readonly name: string;
}

const ASCII = /^[\x20-\x7e]*$/;

/**
 * Names of members as Go's reader of JSON matches them: in any letter case. It takes the last of two members that are one
 * to it, where other readers take another; such an object is refused.
 */
export class MemberNames {
  /** In the spelling that is read. */
  readonly known: ReadonlySet<string>;
  private readonly byFolded: ReadonlyMap<string, string>;

  constructor(names: Iterable<string>) {
    this.known = new Set(names);
    this.byFolded = new Map([...this.known].map((name) => [foldCase(name), name]));
  }

  /**
   * The known name that a member stands for.
   *
   * @returns undefined for a member that no reader takes for a known one
   */
  nameOf(member: string): string | undefined {
    return this.known.has(member) ? member : this.byFolded.get(foldCase(member));
  }

  /**
   * An object with known names as they are spelled here; other members stay.
   *
   * @param refuse throws an error for a member that another reader may not take for the same name: the name is there too, or
   *   a letter is one of ASCII to some readers only, as the long s is
   * @returns the same object when every known name is spelled so already
   */
  respell(
    object: Readonly<Record<string, unknown>>,
    refuse: (twins: Twins) => Error,
  ): Readonly<Record<string, unknown>> {
    const members = Object.keys(object);
    if (members.every((member) => this.known.has(member) || !this.byFolded.has(foldCase(member))))
      return object;
    const seen = new Set<string>();
    return Object.fromEntries(
      members.map((member) => {
        const name = this.nameOf(member);
        if (name !== undefined && (seen.has(name) || !ASCII.test(member))) throw refuse({ member, name });
        if (name !== undefined) seen.add(name);
        return [name ?? member, object[member]];
      }),
    );
  }
}

/** Both ways, because some letters fold to ASCII in one of them only: U+017F to s, the Kelvin sign to k. */
function foldCase(name: string): string {
  return name.toUpperCase().toLowerCase();
}
