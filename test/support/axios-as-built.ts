// What the built app has no part of is missing from axios here as well.
import { registerHooks } from 'node:module';
import { replacementOf } from '../../build/left-out.ts';

registerHooks({
  resolve: (specifier, context, next) => {
    const code = replacementOf(specifier, context.parentURL);
    return code === null
      ? next(specifier, context)
      : { url: `data:text/javascript,${encodeURIComponent(code)}`, format: 'module', shortCircuit: true };
  },
});
