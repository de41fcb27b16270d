import Theme from 'vitepress/theme-without-fonts';
import '@fontsource-variable/atkinson-hyperlegible-next/index.css';
import './style.css';

// VitePress reads the default export.
export default Theme;
