import './bridge/trusted-types.ts';
import './shell/style-sheets.ts';
import './training-panel/training-panel.css';
import { createRoot } from 'react-dom/client';
import { createWords, firstLanguage } from './formats/i18n.ts';
import { Look } from './shell/providers.tsx';
import { TrainingPanel } from './training-panel/training-panel.tsx';

const words = await createWords(firstLanguage(navigator.languages), {
  en: () => import('./locales/panel.en.json', { with: { type: 'json' } }),
  'pt-BR': () => import('./locales/panel.pt-BR.json', { with: { type: 'json' } }),
  es: () => import('./locales/panel.es.json', { with: { type: 'json' } }),
});
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <Look words={words}>
      <TrainingPanel apiKey={window.location.hash.slice(1)} />
    </Look>,
  );
}
