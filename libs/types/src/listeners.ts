/** Registered listeners. */
export class Listeners<Listener> {
  private readonly listeners = new Set<Listener>();

  /** `onFailure` gets the errors of listeners that throw; the other listeners are still called. */
  constructor(private readonly onFailure: (error: unknown) => void) {}

  /** The returned function removes the listener. */
  add(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  emit(notify: (listener: Listener) => void): void {
    for (const listener of this.listeners) {
      try {
        notify(listener);
      } catch (error) {
        this.onFailure(error);
      }
    }
  }
}
