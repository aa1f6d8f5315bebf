/** A text without control characters, with which a provider would write on the reader's terminal or break XML. */
export const printable = (text: string): string => text.replace(/[^\P{C}]/gu, '\ufffd');
