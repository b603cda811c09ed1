/** The page speaks the language that its document has from the host; imported first, before any word is looked up. */
import { useLanguage } from '../src/words/language';

useLanguage(document.documentElement.lang);
