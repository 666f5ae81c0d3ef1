/** What a form does when it is sent: its work, and no new page. */
export const submitting =
  (work: () => unknown) =>
  (event: SubmitEvent): void => {
    event.preventDefault();
    void work();
  };
