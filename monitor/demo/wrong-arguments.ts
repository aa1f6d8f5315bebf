/** The demo cannot be shown like this: one line that says what to do. */
export class WrongArguments extends Error {
  constructor(why: string) {
    super(why.replace(/[^\P{C}]/gu, '\ufffd'));
  }
}
