throw new Error('This package is left out of the installation: see "overrides" in package.json.');
