/** Metrics could not be written or pushed: one line that says where and why. */
export class DeliveryError extends Error {
  override readonly name = 'Undelivered';
}
