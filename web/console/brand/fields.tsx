/** The fields of the name, the logo and the colour. */
import { createPalette, getContrast, SURFACES } from '../../../src/settings/brand-color.ts';
import type { ApiError } from '../../common/api.ts';
import { Button, Panel } from '../../common/components.tsx';
import { Field, Labelled } from '../../common/form.tsx';
import { readDataUrl } from '../settings/change-setting.ts';
import type { BrandSettings, LoadedBrand } from './values.ts';

interface BrandFieldsProps {
  readonly settings: LoadedBrand['settings'];
  readonly values: BrandSettings;
  readonly onValues: (changed: Partial<BrandSettings>) => void;
  readonly error: ApiError | null;
}

export function BrandFields({ settings, values, onValues, error }: BrandFieldsProps) {
  const fixed = Object.values(settings).filter(({ source }) => source === 'environment');
  return (
    <Panel title="Name, logo and colour" id="brand" body="stack tight">
      {fixed.length > 0 && (
        <p class="hint">Fixed by the environment: {fixed.map(({ name }) => name).join(', ')}.</p>
      )}
      <Field
        label="Name"
        name="INSTANCE_NAME"
        value={values.INSTANCE_NAME}
        onValue={(INSTANCE_NAME) => onValues({ INSTANCE_NAME })}
        direction="auto"
        hint={`Without one: ${settings.INSTANCE_NAME.default}`}
        autocomplete="off"
        error={error}
      />
      <LogoField
        logo={values.INSTANCE_LOGO}
        onLogo={(INSTANCE_LOGO) => onValues({ INSTANCE_LOGO })}
        error={error}
      />
      <ColorField
        color={values.BRAND_COLOR}
        onColor={(BRAND_COLOR) => onValues({ BRAND_COLOR })}
        error={error}
      />
    </Panel>
  );
}

interface LogoFieldProps {
  readonly logo: string;
  readonly onLogo: (logo: string) => void;
  readonly error: ApiError | null;
}

function LogoField({ logo, onLogo, error }: LogoFieldProps) {
  const choose = async (input: HTMLInputElement) => {
    const [file] = input.files ?? [];
    if (file !== undefined) onLogo(await readDataUrl(file));
    input.value = '';
  };
  return (
    <Labelled
      label="Logo"
      hint="PNG, at most 64 KiB and 1,024 × 1,024 pixels."
      errors={error?.errors.INSTANCE_LOGO}
    >
      {(attributes) => (
        <div class="row">
          {logo && <img class="own-logo" src={logo} alt="The logo" />}
          <input
            {...attributes}
            type="file"
            accept="image/png"
            onChange={({ currentTarget }) => void choose(currentTarget)}
          />
          {logo && <Button text="Remove logo" class="compact" onClick={() => onLogo('')} />}
        </div>
      )}
    </Labelled>
  );
}

interface ColorFieldProps {
  readonly color: string;
  readonly onColor: (color: string) => void;
  readonly error: ApiError | null;
}

const PRODUCT_COLOR = '#3f52d4';

function ColorField({ color, onColor, error }: ColorFieldProps) {
  const fill = createPalette(color)?.fill;
  return (
    <Labelled label="Colour" hint={explainColor(color)} errors={error?.errors.BRAND_COLOR}>
      {(attributes) => (
        <div class="row">
          <input
            type="color"
            aria-label="Choose a colour"
            value={fill ?? PRODUCT_COLOR}
            onInput={({ currentTarget }) => onColor(currentTarget.value)}
          />
          <input
            {...attributes}
            type="text"
            placeholder={PRODUCT_COLOR}
            autocomplete="off"
            spellcheck={false}
            value={color}
            onInput={({ currentTarget }) => onColor(currentTarget.value)}
          />
        </div>
      )}
    </Labelled>
  );
}

/** Returns what the pages do so that texts stay readable, with the contrast. */
function explainColor(color: string): string {
  if (color.trim() === '') return 'Of buttons and links. Without one: that of the product.';
  const palette = createPalette(color);
  if (palette === null) return 'Write it like #3f52d4.';
  const { fill, text } = palette;
  const toRatio = (other: string) => `${(Math.floor(getContrast(fill, other) * 10) / 10).toFixed(1)} : 1`;
  const adapted = (['light', 'dark'] as const).flatMap((scheme) => {
    const { accent } = palette[scheme];
    if (accent === fill) return [];
    const ratio = toRatio(SURFACES[scheme].surface);
    return [`Links are ${accent} on ${scheme} pages, where the colour itself has ${ratio} only.`];
  });
  const name = text === '#ffffff' ? 'White' : 'Black';
  return [`${name} text on buttons: ${toRatio(text)}.`, ...adapted].join(' ');
}
