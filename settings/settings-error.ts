import { UserError } from '../contract/user-error.ts';
/** Wrong settings: one line for each of them, which says what to do and holds no secret. */
export class SettingsError extends UserError {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'SettingsError';
    this.lines = lines;
  }
}
