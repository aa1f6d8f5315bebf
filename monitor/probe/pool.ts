/** Runs tasks, at most `concurrency` at a time. */
export async function pool<Task>(
  concurrency: number,
  tasks: readonly Task[],
  run: (task: Task) => Promise<void>,
): Promise<void> {
  const queue = tasks.values();
  const worker = async (): Promise<void> => {
    for (const task of queue) await run(task);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, tasks.length) }, worker));
}
