/**
 * Remembers the members of an object, without reading what getters return.
 * @returns `restore`, which puts them back and returns the keys that differed
 */
export function keepMembers(object, isKept = () => true) {
  const before = new Map(Reflect.ownKeys(object).map((key) => [key, descriptor(object, key)]));
  return {
    restore() {
      const changed = [];
      for (const key of new Set([...before.keys(), ...Reflect.ownKeys(object)])) {
        const was = before.get(key);
        if (!isKept(key) || isSame(was, descriptor(object, key))) continue;
        changed.push(key);
        if (was === undefined) Reflect.deleteProperty(object, key);
        else Reflect.defineProperty(object, key, was);
      }
      return changed;
    },
  };
}

/**
 * The same for objects by name; `restore` throws an Error with the names of the members that differed.
 * @param isKept - of an object: which of its keys are; all when omitted
 */
export function keepAll(named, isKept = () => undefined) {
  const kept = named.map(([name, object]) => ({ name, ...keepMembers(object, isKept(object)) }));
  return {
    restore() {
      const changed = kept.flatMap(({ name, restore }) => restore().map((key) => `${name}.${String(key)}`));
      if (changed.length > 0)
        throw new Error(`the test file changed ${changed.join(', ')}, which later files would see`);
    },
  };
}

function descriptor(object, key) {
  return Reflect.getOwnPropertyDescriptor(object, key);
}

function isSame(one, other) {
  if (one === undefined || other === undefined) return one === other;
  return Object.is(one.value, other.value) && one.get === other.get && one.set === other.set;
}
