declare module 'virtual:scalar' {
  /** Where the script of @scalar/api-reference is served. */
  const url: string;
  export default url;
}
