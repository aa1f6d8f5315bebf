/** The arguments are wrong: one line that says what to do. */
export class WrongArguments extends Error {
  override readonly name = 'WrongArguments';

  constructor(why: string) {
    const shown = why.replace(/[^\P{C}]/gu, '\ufffd');
    super(`${shown}: npm run probe -- --help shows what there is`);
  }
}
