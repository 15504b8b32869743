/** Where a journal is kept: whole at every moment, and open once at a time. */
export interface JournalStore {
  /** Where it is, as errors name it. */
  readonly name: string;
  /**
   * The text as it was last written.
   * @returns undefined before anything was
   * @throws OperatorError when it cannot be read
   */
  read(): Promise<string | undefined>;
  /** Returns once the text is stored: what is in it is sent next. */
  write(text: string): Promise<void>;
  /** Lets the next one open it. */
  close(): Promise<void>;
}
