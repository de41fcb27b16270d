/** What the other side answers. Rejects with these words when it has been silent for so many milliseconds. */
export async function inTime<Value>(answer: Promise<Value>, ms: number, words: string): Promise<Value> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    silence.reject(new Error(words));
  }, ms);
  try {
    return await Promise.race([answer, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}
