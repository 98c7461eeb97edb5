/** Stands in for undici's HTTP parser without SIMD: what is left for a machine that cannot run the other one. */
export default undefined;
