import { createTheme, Modal, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

const tide: MantineColorsTuple = [
  '#e6f6f2',
  '#cbebe3',
  '#9adbcc',
  '#63c8b4',
  '#37b59e',
  '#189a86',
  '#0c7d6d',
  '#08675a',
  '#075349',
  '#053d36',
];

// Mantine draws its dark surfaces in these; its own greys would stand out against the green-black of the page.
const dark: MantineColorsTuple = [
  '#ecf4f1',
  '#c9d6d1',
  '#a9bab3',
  '#82948c',
  '#4d5f58',
  '#33423d',
  '#1d2825',
  '#141d1a',
  '#101815',
  '#0b1210',
];

const red: MantineColorsTuple = [
  '#fdeae7',
  '#f9cfca',
  '#f2a69e',
  '#ff9d92',
  '#dc6257',
  '#c8453a',
  '#b5342a',
  '#a3271d',
  '#831d15',
  '#65150f',
];

const fontFamily = 'var(--font-family)';

export const theme = createTheme({
  primaryColor: 'tide',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  colors: { tide, dark, red },
  fontFamily,
  fontFamilyMonospace: fontFamily,
  headings: { fontFamily, fontWeight: '650' },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '8px', md: '12px', lg: '18px', xl: '28px' },
  focusRing: 'auto',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'md' } },
    // What was typed before is no help: it would be another person's.
    TextInput: { defaultProps: { size: 'lg', autoComplete: 'off' } },
    NativeSelect: { defaultProps: { size: 'lg' } },
    // What a password manager types without a pause is no scan.
    PasswordInput: { defaultProps: { size: 'lg', 'data-takes-typing': true } },
    Checkbox: { defaultProps: { size: 'md' } },
    SegmentedControl: { defaultProps: { size: 'md' } },
    Switch: { defaultProps: { size: 'lg', withThumbIndicator: false } },
    // In a dialog it is no banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    // Locking the scroll would inject a style element that the content security policy refuses; the page itself never
    // scrolls.
    Modal: Modal.extend({
      defaultProps: {
        lockScroll: false,
        centered: true,
        radius: 'lg',
        padding: 'xl',
        // A dialog that were still fading out would swallow the next key.
        transitionProps: { duration: 200, exitDuration: 0, transition: 'fade-down' },
      },
    }),
  },
});

const roles = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-soft)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-placeholder': 'var(--ink-soft)',
};

/** Gives Mantine's parts the colour roles of styles/tokens.css, in both themes. */
export const colourRoles: CSSVariablesResolver = () => ({ variables: {}, light: roles, dark: roles });
