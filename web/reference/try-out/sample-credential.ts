/** The credential of a sample: the token, or else a variable that has it. */
export interface SampleCredential {
  readonly variable: string;
  readonly token: string | null;
}
