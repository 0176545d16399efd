/** A choice among a few kinds, each with a sentence. */
interface TilesProps<T extends string> {
  readonly legend: string;
  readonly name: string;
  /** Title and sentence by value. */
  readonly options: Readonly<Record<T, readonly [title: string, text: string]>>;
  readonly value: T;
  readonly onValue: (value: T) => void;
}

export function Tiles<T extends string>({ legend, name, options, value, onValue }: TilesProps<T>) {
  return (
    <fieldset class="field">
      <legend>{legend}</legend>
      <div class="grid">
        {(Object.keys(options) as T[]).map((each) => (
          <label key={each} class="option tile">
            <input type="radio" name={name} checked={each === value} onChange={() => onValue(each)} />
            <span>
              <strong>{options[each][0]}</strong>
              <small>{options[each][1]}</small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
