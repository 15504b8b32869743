/** Who wants to hear of something. */
export class Listeners<Listener> {
  private readonly listeners = new Set<Listener>();

  /** The result takes the listener out again. */
  add(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  emit(tell: (listener: Listener) => void): void {
    for (const listener of this.listeners) tell(listener);
  }
}
