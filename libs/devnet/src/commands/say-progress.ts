/** Prints each step of the start with the time since its beginning. */
export function sayProgress(): (what: string) => void {
  const started = performance.now();
  return (what) => {
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`  ${seconds.padStart(5)} s  ${what}`);
  };
}
