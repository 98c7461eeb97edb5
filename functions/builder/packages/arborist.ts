/** npm's installer, which is most of the builder: a file of its own, for components with packages. */
export { default as Arborist } from '@npmcli/arborist';
