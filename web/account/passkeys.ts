/** Signs in with passkeys and makes them (WebAuthn Level 3). The service says what is wrong with one that it rejects. */

/** Browsers keep a request open in the address field for as long as the page; its challenge lasts five minutes. */
const RENEWAL_MS = 4 * 60_000;
/** What the browser is told about other passkeys must be what the page has just read. */
const FRESH_MS = 10_000;

/** Host names that are addresses have no passkeys. */
const isAddress = /^[\d.]+$|^\[/.test(location.hostname);
const isSupported =
  !isAddress &&
  typeof PublicKeyCredential !== 'undefined' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  'toJSON' in PublicKeyCredential.prototype;

interface Signals {
  readonly signalUnknownCredential?: (options: object) => Promise<void>;
  readonly signalAllAcceptedCredentials?: (options: object) => Promise<void>;
}

/** Tells the browser, if it can be told, which passkeys there are no longer. */
function signal(name: keyof Signals, options: string | undefined): void {
  if (options === undefined || !isSupported || performance.now() > FRESH_MS) return;
  const signals = PublicKeyCredential as Signals;
  // Nothing depends on it.
  signals[name]?.(JSON.parse(options)).catch(() => {});
}

class PasskeyForm {
  readonly #form: HTMLFormElement;
  readonly #status: HTMLElement;
  #open: AbortController | undefined;

  constructor(form: HTMLFormElement) {
    this.#form = form;
    this.#status = form.querySelector('[role=status]')!;
    form.hidden = false;
    form.querySelector('button')!.addEventListener('click', () => this.#press());
    addEventListener('pagehide', () => this.#open?.abort());
    addEventListener('pageshow', () => this.#listen());
  }

  /** Ends the request that is open: browsers have one at a time. */
  #begin(): AbortController {
    this.#open?.abort();
    this.#open = new AbortController();
    return this.#open;
  }

  async #press(): Promise<void> {
    const { creation, failed, excluded } = this.#form.dataset;
    this.#status.textContent = '';
    const request = this.#begin();
    try {
      await this.#run(request, {});
    } catch (error) {
      if (request.signal.aborted) return;
      const isExcluded = error instanceof DOMException && error.name === 'InvalidStateError';
      this.#status.textContent = (isExcluded && excluded) || failed!;
      if (creation === undefined) await this.#listen();
    }
  }

  /** Offers passkeys in the address field, with new options before the challenge is too old. */
  async #listen(): Promise<void> {
    if (this.#form.dataset.creation !== undefined) return;
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
    for (let isOld = true; isOld; ) {
      const request = this.#begin();
      isOld = false;
      const timer = setTimeout(() => {
        isOld = true;
        request.abort();
      }, RENEWAL_MS);
      // A request that has ended is of no concern to the person, who has the button.
      await this.#run(request, { mediation: 'conditional' }).catch(() => {});
      clearTimeout(timer);
    }
  }

  async #run({ signal }: AbortController, options: CredentialRequestOptions): Promise<void> {
    const { creation } = this.#form.dataset;
    const credential =
      creation === undefined
        ? await navigator.credentials.get({ ...options, signal, publicKey: await this.#fetchOptions(signal) })
        : await navigator.credentials.create({
            signal,
            publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(creation)),
          });
    const field = this.#form.elements.namedItem('credential') as HTMLInputElement;
    field.value = JSON.stringify(credential);
    this.#form.submit();
  }

  async #fetchOptions(signal: AbortSignal): Promise<PublicKeyCredentialRequestOptions> {
    const response = await fetch(this.#form.dataset.optionsUrl!, { method: 'POST', signal });
    if (!response.ok) throw new Error(`${response.status}`);
    return PublicKeyCredential.parseRequestOptionsFromJSON(await response.json());
  }
}

const form = document.querySelector<HTMLFormElement>('form.passkey');
signal('signalUnknownCredential', form?.dataset.unknown);
signal(
  'signalAllAcceptedCredentials',
  document.querySelector<HTMLElement>('[data-accepted]')?.dataset.accepted,
);
for (const line of document.querySelectorAll<HTMLElement>('.no-passkeys')) line.hidden = isSupported;
if (form !== null && isSupported) new PasskeyForm(form);
