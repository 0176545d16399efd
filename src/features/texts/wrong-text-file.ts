/** A file of texts that the service cannot use. The message is one line that names the file and what is wrong. */
export class WrongTextFile extends Error {
  constructor(file: string, problem: string) {
    super(`${file}: ${problem.replaceAll(/\s+/g, ' ')}`);
    this.name = 'WrongTextFile';
  }
}
