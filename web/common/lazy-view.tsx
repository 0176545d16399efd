/** Views whose code is loaded when they are shown first. */
import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { noResponse } from './api.ts';
import { LoadState } from './components.tsx';
import { useLoad } from './use-load.ts';

/** Returns the view that `load` imports. Until its code is there, the page says that it loads. */
export function lazyView<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let Present: ComponentType<Props> | undefined;
  return (props: Props) => {
    // A view that has waited for its code keeps its state.
    const [View] = useState(() => Present ?? Load);
    return <View {...props} />;
  };

  function Load(props: Props) {
    const [loaded] = useLoad('', async () => {
      const view = await load().catch(() => Promise.reject(noResponse()));
      Present = view;
      return view;
    });
    return loaded.state === 'ready' ? (
      <loaded.data {...props} />
    ) : (
      <LoadState loaded={loaded} what="the page" retry={reload} />
    );
  }
}

/** Browsers keep the failure of an import as long as the page is open. */
function reload(): void {
  location.reload();
}
