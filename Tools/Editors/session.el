;;; Opens a query file in batch Emacs with Eglot and `querygen lsp', edits it, and prints the results. -*- lexical-binding: t -*-
;;; Used by Tools/editors.sh, which sets QUERYGEN and PROJECT.

(require 'package)
(package-initialize)
(require 'eglot)
(require 'flymake)
(require 'xref)

(defvar session-failures 0)

(defun session-check (name condition)
  (if condition
      (princ (format "ok: %s\n" name))
    (setq session-failures (1+ session-failures))
    (princ (format "FAILED: %s\n" name))))

(defun session-wait (condition)
  (let ((end (+ (float-time) 10)))
    (while (and (not (funcall condition)) (< (float-time) end))
      (accept-process-output nil 0.05))
    (funcall condition)))

(defun session-messages ()
  (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

;; In batch mode there is no idle time, in which Eglot sends changes.
(defun session-send-changes () (eglot--signal-textDocument/didChange))

(let ((root (file-name-as-directory (getenv "PROJECT"))))
  ;; Eglot asks before it saves or confirms changes.
  (setq eglot-confirm-server-initiated-edits nil
        eglot-sync-connect 10
        make-backup-files nil
        create-lockfiles nil)
  (add-to-list 'eglot-server-programs `(sql-mode . (,(getenv "QUERYGEN") "lsp")))
  (add-hook 'project-find-functions (lambda (_) (cons 'transient root)))
  (find-file (concat root "Queries/Note.sql"))
  (sql-mode)
  (eglot-ensure)
  (unless (eglot-managed-p) (apply #'eglot (eglot--guess-contact)))
  (session-check "starts" (session-wait #'eglot-managed-p))
  (flymake-start)
  (session-check
   "shows diagnostics"
   (session-wait (lambda () (flymake-start) (string-match-p "no such column: `txt`" (format "%s" (session-messages))))))

  (goto-char (point-min))
  (search-forward "txt")
  (replace-match "text")
  (session-send-changes)
  (session-check
   "removes diagnostics after an edit"
   (session-wait (lambda () (flymake-start) (null (session-messages)))))

  (goto-char (point-min))
  (search-forward "SELECT te")
  (let ((places (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot))))
    (session-check
     "jumps to the migration"
     (and (= (length places) 1)
          (string-match-p "001_note.sql" (format "%s" (xref-location-group (xref-item-location (car places))))))))

  (let* ((capf (eglot-completion-at-point))
         (names (all-completions "te" (nth 2 capf))))
    (session-check "completes columns" (member "text" (mapcar #'substring-no-properties names))))

  (goto-char (point-max))
  (insert "\nmore: SELECT n.id FROM note n;\n")
  (session-send-changes)
  (search-backward "n.id")
  (eglot-rename "renamed")
  (session-send-changes)
  (session-check "renames an alias" (string-match-p "SELECT renamed.id FROM note renamed" (buffer-string)))

  (eglot-format-buffer)
  (session-check "formats" (string-match-p "more:\nSELECT renamed.id" (buffer-string)))
  (set-buffer-modified-p nil)
  (eglot-shutdown (eglot-current-server))
  (kill-emacs (if (> session-failures 0) 1 0)))
