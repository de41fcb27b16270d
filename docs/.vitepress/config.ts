import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slug } from 'github-slugger';
import { defineConfig, type DefaultTheme } from 'vitepress';
import manifest from '../../package.json' with { type: 'json' };
import { relocateAssets, relocatePage, standIn } from './relative-base.ts';

interface Words {
  readonly cashier: string;
  readonly manager: string;
  readonly technician: string;
  readonly questions: string;
  readonly sections: string;
  readonly previous: string;
  readonly next: string;
  readonly top: string;
  readonly theme: string;
  readonly toLight: string;
  readonly toDark: string;
  readonly languages: string;
  readonly menu: string;
}

const icon = readFileSync(join(import.meta.dirname, '../../renderer/icon.svg'), 'utf8');

function themeOf(language: string, words: Words): DefaultTheme.Config {
  return {
    // Unlike other links it is taken as it is; all pages of a language lie beside this one.
    logoLink: 'cashier.html',
    sidebar: (['cashier', 'manager', 'technician', 'questions'] as const).map((page) => ({
      text: words[page],
      link: `/${language}/${page}`,
    })),
    outline: { level: [2, 3], label: words.sections },
    docFooter: { prev: words.previous, next: words.next },
    returnToTopLabel: words.top,
    darkModeSwitchLabel: words.theme,
    lightModeSwitchTitle: words.toLight,
    darkModeSwitchTitle: words.toDark,
    langMenuLabel: words.languages,
    sidebarMenuLabel: words.menu,
  };
}

const search = (button: string, none: string, clear: string, close: string, go: string, choose: string) => ({
  translations: {
    button: { buttonText: button, buttonAriaLabel: button },
    modal: {
      noResultsText: none,
      resetButtonTitle: clear,
      backButtonTitle: close,
      footer: { selectText: choose, navigateText: go, closeText: close },
    },
  },
});

// VitePress reads the default export.
export default defineConfig({
  title: 'Tillside',
  base: standIn,
  vite: relocateAssets,
  transformHtml: (html, _id, { page }) => relocatePage(html, page, new URL(manifest.homepage).pathname),
  outDir: '../dist/site',
  cacheDir: '../.cache/vitepress',
  srcExclude: ['README.md'],
  // Beside the pages, as it lies in the repository, so that one link leads to it in both.
  buildEnd: ({ outDir }) => {
    copyFileSync(join(import.meta.dirname, '../openapi.json'), join(outDir, 'openapi.json'));
  },
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  // The identifiers of headings are GitHub's, as in the app.
  // An address in a text is an example, no link.
  markdown: { linkify: false, anchor: { slugify: (text) => slug(text) } },
  locales: {
    en: {
      label: 'English',
      lang: 'en',
      themeConfig: themeOf('en', {
        cashier: 'Cashier',
        manager: 'Manager',
        technician: 'Technician',
        questions: 'Questions and answers',
        sections: 'On this page',
        previous: 'Previous page',
        next: 'Next page',
        top: 'Return to top',
        theme: 'Appearance',
        toLight: 'Switch to light theme',
        toDark: 'Switch to dark theme',
        languages: 'Change language',
        menu: 'Menu',
      }),
    },
    'pt-BR': {
      label: 'Português',
      lang: 'pt-BR',
      themeConfig: themeOf('pt-BR', {
        cashier: 'Operador de caixa',
        manager: 'Gerente',
        technician: 'Técnico',
        questions: 'Perguntas e respostas',
        sections: 'Nesta página',
        previous: 'Página anterior',
        next: 'Próxima página',
        top: 'Voltar ao início',
        theme: 'Aparência',
        toLight: 'Mudar para o tema claro',
        toDark: 'Mudar para o tema escuro',
        languages: 'Mudar o idioma',
        menu: 'Menu',
      }),
    },
    es: {
      label: 'Español',
      lang: 'es',
      themeConfig: themeOf('es', {
        cashier: 'Cajero',
        manager: 'Encargado',
        technician: 'Técnico',
        questions: 'Preguntas y respuestas',
        sections: 'En esta página',
        previous: 'Página anterior',
        next: 'Página siguiente',
        top: 'Volver al inicio',
        theme: 'Apariencia',
        toLight: 'Cambiar al tema claro',
        toDark: 'Cambiar al tema oscuro',
        languages: 'Cambiar de idioma',
        menu: 'Menú',
      }),
    },
  },
  themeConfig: {
    socialLinks: [{ icon: 'github', link: manifest.repository.url }],
    search: {
      provider: 'local',
      options: {
        locales: {
          'pt-BR': search('Pesquisar', 'Nada encontrado para', 'Limpar a pesquisa', 'fechar', 'mover', 'abrir'),
          es: search('Buscar', 'Nada encontrado para', 'Borrar la búsqueda', 'cerrar', 'mover', 'abrir'),
        },
      },
    },
  },
});
