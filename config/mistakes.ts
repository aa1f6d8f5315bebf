import { UserError } from '../contract/user-error.ts';

/** Wrong settings: one line for each, with the remedy and without secrets. */
export class SettingsError extends UserError {
  override readonly name = 'SettingsError';
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}
