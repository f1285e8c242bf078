import { render } from 'preact';
import { applyStoredTheme } from '../parts/theme-toggle.tsx';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/layout.css';
import '../styles/gallery.css';
import { GalleryPage } from './gallery-page.tsx';

applyStoredTheme();
const root = document.getElementById('app');
if (root !== null) render(<GalleryPage />, root);
