/** Who wants to hear of something. */
export class Listeners<Listener> {
  private readonly listeners = new Set<Listener>();

  /** `onFailure` hears of listeners that throw; what they listen to goes on, and so do the others. */
  constructor(private readonly onFailure: (error: unknown) => void) {}

  /** The result takes the listener out again. */
  add(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  emit(tell: (listener: Listener) => void): void {
    for (const listener of this.listeners) {
      try {
        tell(listener);
      } catch (error) {
        this.onFailure(error);
      }
    }
  }
}
