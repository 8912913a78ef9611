/**
 * What an editor reported and gets back as its text. On a busy machine that
 * takes until more has been typed: an echo is no change, and must not undo what
 * came after it.
 */
export class Echoes {
  private reported: string[] = [];

  report(text: string): void {
    this.reported.push(text);
  }

  /** Whether a text that comes in replaces the one that the editor has. */
  replaces(text: string, has: string): boolean {
    const at = this.reported.indexOf(text);
    if (text !== has && at >= 0) {
      this.reported = this.reported.slice(at + 1);
      return false;
    }
    this.reported = [];
    return text !== has;
  }
}
