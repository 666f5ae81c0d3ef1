import { mount } from 'svelte';
import '../../src/app/utilities.css';
import '../../src/app/app.css';
import '../../src/shared/overlays.css';
import Gallery from './Gallery.svelte';

const target = document.getElementById('app');
if (target) mount(Gallery, { target });
